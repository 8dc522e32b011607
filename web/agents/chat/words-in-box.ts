const beginsWith = (box: string, words: string) => `${box.trim()}\n\n`.startsWith(`${words.trim()}\n\n`)

/** What was not taken, back in the box before what was written there since; refused again it is there once. */
export function putBack(refused: string, box: string): string {
  if (box.trim() === '') return refused
  return beginsWith(box, refused) ? box : `${refused.trim()}\n\n${box}`
}

/** What else stands in the box when these words go out of it. */
export function takenOut(words: string, box: string): string {
  return beginsWith(box, words) ? box.trim().slice(words.trim().length).trimStart() : box
}
