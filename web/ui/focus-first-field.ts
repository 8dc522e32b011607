/** For `onOpenAutoFocus` of a dialog that is a form: one begins to write, not to close. */
export function focusFirstField(event: Event): void {
  const field = (event.currentTarget as HTMLElement | null)?.querySelector<HTMLElement>('form input, form textarea')
  if (!field) return
  event.preventDefault()
  field.focus()
}
