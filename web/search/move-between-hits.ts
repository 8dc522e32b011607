import type { KeyboardEvent } from 'react'

/** Arrow keys move from the search box through the results and back; Enter opens a link as usual. */
export function moveBetweenHits(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const { target, currentTarget } = event
  const hits = [...currentTarget.querySelectorAll<HTMLElement>('[data-hit]')]
  const box = currentTarget.querySelector<HTMLElement>('[role="searchbox"]')
  const at = hits.indexOf(target as HTMLElement)
  if (at === -1 && target !== box) return
  const next = event.key === 'ArrowDown' ? hits[at + 1] : at === 0 ? box : hits[at - 1]
  if (!next) return
  event.preventDefault()
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}
