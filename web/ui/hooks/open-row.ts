import type { KeyboardEvent, MouseEvent } from 'react'

const controls = 'a[href], button'

/** Clicks the first link or button of a row, unless another control was clicked or text selected. */
export function openRow(event: MouseEvent<HTMLElement>): void {
  const { target, currentTarget: row, ctrlKey, metaKey, shiftKey } = event
  // React also delivers the clicks of dialogs that a row opened.
  if (!(target instanceof Element) || !row.contains(target)) return
  if (target.closest(`${controls}, label, input, select, textarea`) || getSelection()?.type === 'Range') return
  const opener = row.querySelector<HTMLElement>(controls)
  // A dialog returns the focus to it.
  opener?.focus({ preventScroll: true })
  opener?.dispatchEvent(new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }))
}

/** Left and right move between the controls of a row, of which only the first needs to be a tab stop. */
export function moveInRow(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return
  const rowControls = [...event.currentTarget.querySelectorAll<HTMLElement>(controls)]
  const index = rowControls.findIndex((control) => control === event.target)
  const next = index < 0 ? undefined : rowControls[index + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
