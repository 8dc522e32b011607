/** Waits a frame so that the errors are rendered first. */
export function focusFirstInvalid(form: HTMLElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}

/** For `onOpenAutoFocus`: focuses the first field instead of the close button. */
export function focusFirstField(event: Event): void {
  const field = (event.currentTarget as HTMLElement | null)?.querySelector<HTMLElement>('form input, form textarea')
  if (!field) return
  event.preventDefault()
  field.focus()
}
