export function reasonText(reason: unknown): string {
  return reason instanceof Error && reason.message ? reason.message : 'No reason was given.'
}
