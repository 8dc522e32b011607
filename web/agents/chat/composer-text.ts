const startsWithText = (composerText: string, sentText: string) =>
  `${composerText.trim()}\n\n`.startsWith(`${sentText.trim()}\n\n`)

/** Puts refused text back before newer text, only once. */
export function restoreText(rejectedText: string, composerText: string): string {
  if (composerText.trim() === '') return rejectedText
  return startsWithText(composerText, rejectedText) ? composerText : `${rejectedText.trim()}\n\n${composerText}`
}

export function removeSentText(sentText: string, composerText: string): string {
  return startsWithText(composerText, sentText)
    ? composerText.trim().slice(sentText.trim().length).trimStart()
    : composerText
}
