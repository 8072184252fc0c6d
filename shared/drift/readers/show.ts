import { pathText, type Way, wayOf } from './paths.ts';

/** An attribute whose values may be shown: a resource type, a `#`, and a path in it. What lies below the path may be shown as well. */
export interface Shown {
  readonly type: string;
  readonly way: Way;
}

/** `aws_instance#tags.Name`, `aws:s3/bucket:Bucket#versioning.enabled`; undefined for what is no such thing. */
export function shownOf(text: string): Shown | undefined {
  const [type = '', path, ...more] = text.split('#');
  const way = path === undefined || more.length > 0 ? undefined : wayOf(path);
  return way === undefined || !/^[^\s\p{Cc}]+$/u.test(type) ? undefined : { type, way };
}

export const shownText = ({ type, way }: Shown): string => `${type}#${pathText(way)}`;

/** Whether the values at `way` of a resource of this type may be shown: they are listed, or lie in something that is. */
export const mayShow = (list: readonly Shown[], type: string | undefined, way: Way): boolean =>
  list.some((one) => one.type === type && one.way.length <= way.length && one.way.every((step, index) => String(step) === String(way[index])));
