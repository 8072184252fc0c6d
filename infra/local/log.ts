/** Where the stack says what a person would look up in CloudWatch: failed batches, timed-out functions, errors of emulators. */
export type LocalLog = (message: string, error?: unknown) => void;
