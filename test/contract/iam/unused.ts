/** Grants that the drive does not use, by function, action and resource, each with why it stands all the same. None does. */
export const reasons: Readonly<Record<string, string>> = {};
