/** Inputs that take no words: what is pressed there is as much the page's as on a button. */
const withoutWords = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']

/** Whether words are written there, so that its undo and what is pasted are its own. */
export function isWriting(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !withoutWords.includes(target.type)
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable)
}

/** Whether letters pressed there are its own: they are written, or choose, as in a select. */
export function isTyping(target: EventTarget | null): boolean {
  return isWriting(target) || target instanceof HTMLSelectElement
}

/** Whether arrow keys pressed there are its own: they move between words, choices or values. */
export function takesArrows(target: EventTarget | null): boolean {
  if (isTyping(target)) return true
  return target instanceof Element && target.closest('[type=radio], [type=range], [role=slider], [role=menu]') !== null
}
