export const getErrorMessage = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason))
