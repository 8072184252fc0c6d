/** `2026-01-06 09:00 UTC`, of an ISO 8601 time in UTC: as people are told a moment. */
export const utc = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;
