const nonTextInputTypes = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']

/** Whether the target is a text field, which has its own undo and paste. */
export function isTextField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !nonTextInputTypes.includes(target.type)
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable)
}

/** Whether the target handles letter keys itself, as text fields and selects do. */
export function isTyping(target: EventTarget | null): boolean {
  return isTextField(target) || target instanceof HTMLSelectElement
}

/** Whether the target handles arrow keys itself. */
export function handlesArrowKeys(target: EventTarget | null): boolean {
  if (isTyping(target)) return true
  return target instanceof Element && target.closest('[type=radio], [type=range], [role=slider], [role=menu]') !== null
}
