/**
 * The file of a program that runs beside the caller, in a thread or a process: its source when the caller runs from
 * source, else its bundle, which the build puts into the folder of the caller's bundle.
 */
export function programBeside(callerUrl: string, source: string, bundle: string): URL {
  return new URL(callerUrl.endsWith('.ts') ? source : bundle, callerUrl);
}
