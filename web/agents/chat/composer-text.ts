const startsWithText = (box: string, sentText: string) => `${box.trim()}\n\n`.startsWith(`${sentText.trim()}\n\n`)

/** Puts refused text back before newer text, only once. */
export function restoreText(refused: string, box: string): string {
  if (box.trim() === '') return refused
  return startsWithText(box, refused) ? box : `${refused.trim()}\n\n${box}`
}

export function removeSentText(sentText: string, box: string): string {
  return startsWithText(box, sentText) ? box.trim().slice(sentText.trim().length).trimStart() : box
}
