import { rootMarker } from '../../dashboard/marker.ts';
import { code } from '../escape.ts';
import { utc } from '../words.ts';

/**
 * The last body of a dashboard that policy has turned off: what stood there before would grow old in silence, and its boxes would do nothing.
 *
 * @param at ISO 8601: when that was seen.
 */
export const renderTurnedOff = ({ at, branch }: { readonly at: string; readonly branch: string }): string =>
  [
    rootMarker,
    `**This dashboard is off**, since ${utc(at)}: ${code('lockkeeper.yaml')} of ${code(branch)} neither turns it on nor has any environment scanned. Nothing here is kept up to date, and there is nothing to tick.`,
    '',
    `${code('dashboard: {enabled: true}')} turns it on again, in this issue. ${code('lockkeeper runs')} lists what is released meanwhile.`,
  ].join('\n');
