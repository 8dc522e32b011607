import type { ChangeEvent, KeyboardEvent as ReactKeyboardEvent } from 'react'

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

const bracketsByCode: Record<string, string> = { BracketLeft: '[', BracketRight: ']' }

/** The key in lower case; on a layout of another script, such as Cyrillic, the one at its place on a Latin layout. */
export function getShortcutKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const isOtherScript = /^[\p{L}\p{M}]$/u.test(key) && !/\p{Script=Latin}/u.test(key)
  const latinKey = isOtherScript ? (bracketsByCode[code] ?? /^Key([A-Z])$/.exec(code)?.[1]) : key
  return (latinKey ?? key).toLowerCase()
}

export function sendOnKey(send: () => void) {
  return (event: ReactKeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    // An outer form or canvas frame may handle the same keys.
    event.stopPropagation()
    send()
  }
}

/** For `onKeyDown` of a form: clicks its submit button, so that a disabled button does nothing. */
export function submitOnKey(event: ReactKeyboardEvent<HTMLFormElement>): void {
  const form = event.currentTarget
  sendOnKey(() => {
    for (const control of form.elements)
      if (control instanceof HTMLButtonElement && control.type === 'submit') return control.click()
  })(event)
}

/** Keeps dialogs from getting the keys of an open select list or input method. They listen on document, this on window. */
export function blockReservedKeys(): void {
  // Browsers without :open keep the keys of an open list to themselves.
  const supportsOpenSelector = CSS.supports('selector(:open)')
  const isForOpenList = ({ target }: KeyboardEvent) =>
    supportsOpenSelector && target instanceof Element && target.closest('select')?.matches(':open')
  const stopReservedKey = (event: KeyboardEvent) => {
    if (isComposing(event) || isForOpenList(event)) event.stopImmediatePropagation()
  }
  addEventListener('keydown', stopReservedKey, { capture: true })
}

/** WebKit clears `isComposing` before the Enter that ends a composition, but reports key code 229. */
const isComposing = (event: KeyboardEvent) => event.isComposing || event.keyCode === 229

/** Whether the text that changed is still being composed. */
export const isUnfinished = ({ nativeEvent }: ChangeEvent) => (nativeEvent as InputEvent).isComposing

export function getCommandKeyName(platform = navigator.platform): string {
  return /mac|iphone|ipad/i.test(platform) ? '⌘' : 'Ctrl '
}
