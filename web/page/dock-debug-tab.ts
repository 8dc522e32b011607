/** Time without scrolling after which the tab returns (ms). */
const returnDelayMs = 1500
/** Time without scrolling up, or since the page changed, after which the tab looks for a free slot (ms). */
const slotSearchDelayMs = 250
/** Distance between the points that are tested under the tab (px). */
const testStepPx = 6
const slotStepPx = 12
const maxShiftPx = 240
const controlsSelector =
  'a[href],button,input,select,textarea,summary,label,audio,video,iframe,[contenteditable],[role="button"],[role="link"],[role="tab"],[role="option"],[role="checkbox"],[role="switch"],[role="slider"],[role^="menuitem"]'

interface Slot {
  /** Distance from the corner (px). */
  x: number
  y: number
  isNarrow: boolean
}

interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** Keeps DEBUG off everything people use: it moves along its edge to a free slot, and slides out where there is none. */
export function dockDebugTab(): void {
  const scrollPositions = new WeakMap<EventTarget, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = 0

  function schedule(delayMs: number) {
    clearTimeout(timer)
    dueAt = performance.now() + delayMs
    timer = setTimeout(dock, delayMs)
  }
  function dock() {
    dueAt = 0
    const tab = getTab()
    if (tab) moveTab(tab, mustSlideOut(tab) ? undefined : findSlot(tab))
  }
  function slideOut() {
    const tab = getTab()
    if (tab) moveTab(tab, undefined)
  }

  addEventListener(
    'scroll',
    ({ target }) => {
      if (!target) return
      const top = target instanceof Element ? target.scrollTop : scrollY
      const previousTop = scrollPositions.get(target) ?? 0
      scrollPositions.set(target, top)
      if (top > previousTop) slideOut()
      schedule(top > previousTop ? returnDelayMs : slotSearchDelayMs)
    },
    { capture: true, passive: true },
  )
  addEventListener('focusin', ({ target }) => {
    if (isTextField(target)) slideOut()
  })
  addEventListener('focusout', () => schedule(slotSearchDelayMs))
  addEventListener('resize', () => schedule(slotSearchDelayMs))
  // Pages load and dialogs open. A page that never stops changing must not postpone the check.
  new MutationObserver(() => {
    if (!dueAt) schedule(slotSearchDelayMs)
  }).observe(document.body, { childList: true, subtree: true })
  schedule(0)
}

const isTextField = (target: EventTarget | null) => target instanceof Element && target.matches(':read-write')

const getTab = () => document.querySelector<HTMLElement>('.debug-tab')

function mustSlideOut(tab: HTMLElement): boolean {
  return (
    isTextField(document.activeElement) ||
    !!tab.closest('[aria-hidden="true"]') ||
    !!document.querySelector('[role$="dialog"]')
  )
}

function moveTab(tab: HTMLElement, slot: Slot | undefined): void {
  tab.toggleAttribute('data-away', !slot)
  tab.toggleAttribute('data-narrow', slot?.isNarrow ?? false)
  tab.style.translate = slot ? `${slot.x}px ${slot.y}px` : ''
}

/** A free slot along the tab's edge, or upright in the margin at the right. */
function findSlot(tab: HTMLElement): Slot | undefined {
  // Slots overlap, and finding the elements at a point is slow.
  const blockedByPoint = new Map<string, boolean>()
  const isBlocked = (x: number, y: number): boolean => {
    const point = `${x} ${y}`
    const cached = blockedByPoint.get(point)
    if (cached !== undefined) return cached
    const result = document.elementsFromPoint(x, y).some((element) => !tab.contains(element) && isObstacle(element))
    blockedByPoint.set(point, result)
    return result
  }
  for (const isNarrow of [false, true]) {
    tab.toggleAttribute('data-narrow', isNarrow)
    const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = tab
    for (let shift = 0; shift <= maxShiftPx; shift += slotStepPx) {
      const [x, y] = height > width ? [0, -shift] : [-shift, 0]
      if (isFree({ left: left + x, top: top + y, width, height }, isBlocked)) return { x, y, isNarrow }
    }
  }
}

function isFree({ left, top, width, height }: Box, isBlocked: (x: number, y: number) => boolean): boolean {
  const rows = getTestOffsets(height)
  return getTestOffsets(width).every((x) => rows.every((y) => !isBlocked(left + x, top + y)))
}

/** From 0 to the last pixel of the length, which is always included. */
function getTestOffsets(length: number): number[] {
  const offsets: number[] = []
  for (let offset = 0; offset < length - 1; offset += testStepPx) offsets.push(offset)
  return [...offsets, length - 1]
}

/** Bars that stay at the edge while the page scrolls count as a whole, including the gaps between their buttons. */
function isObstacle(element: Element): boolean {
  return (
    element.matches(controlsSelector) ||
    (element !== document.body && ['sticky', 'fixed'].includes(getComputedStyle(element).position))
  )
}
