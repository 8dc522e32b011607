/** Whether keys that were pressed there belong to what is written or chosen there. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.closest('input, textarea, select, [role=slider], [role=menu]') !== null
}
