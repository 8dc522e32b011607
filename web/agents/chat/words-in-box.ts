const beginsWith = (box: string, words: string) => `${box.trim()}\n\n`.startsWith(`${words.trim()}\n\n`)

/** Puts refused text back before newer text, only once. */
export function putBack(refused: string, box: string): string {
  if (box.trim() === '') return refused
  return beginsWith(box, refused) ? box : `${refused.trim()}\n\n${box}`
}

/** Removes sent text from the box, keeping what follows. */
export function takenOut(words: string, box: string): string {
  return beginsWith(box, words) ? box.trim().slice(words.trim().length).trimStart() : box
}
