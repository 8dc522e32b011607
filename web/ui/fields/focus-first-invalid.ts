/** Waits until the errors are rendered, which can take more than one frame. */
export function focusFirstInvalid(form: HTMLElement | null, maxFrames = 5): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (field) field.focus()
    else if (maxFrames > 1) focusFirstInvalid(form, maxFrames - 1)
  })
}

/** For `onOpenAutoFocus`: focuses the first field instead of the close button. */
export function focusFirstField(event: Event): void {
  const field = (event.currentTarget as HTMLElement | null)?.querySelector<HTMLElement>('form input, form textarea')
  if (!field) return
  event.preventDefault()
  field.focus()
}
