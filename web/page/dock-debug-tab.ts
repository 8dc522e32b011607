/** Time without scrolling after which the tab returns (ms). */
const restMs = 1500
/** Time without scrolling up, or since the page changed, after which the tab looks for a free slot (ms). */
const settleMs = 250
/** Distance between the points that are tested under the tab (px). */
const gridPx = 6
const slotStepPx = 12
const maxShiftPx = 240
const controls =
  'a[href],button,input,select,textarea,summary,label,audio,video,iframe,[contenteditable],[role="button"],[role="link"],[role="tab"],[role="option"],[role="checkbox"],[role="switch"],[role="slider"],[role^="menuitem"]'

interface Slot {
  /** Distance from the corner (px). */
  x: number
  y: number
  narrow: boolean
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
      schedule(top > previousTop ? restMs : settleMs)
    },
    { capture: true, passive: true },
  )
  addEventListener('focusin', ({ target }) => {
    if (isTextField(target)) slideOut()
  })
  addEventListener('focusout', () => schedule(settleMs))
  addEventListener('resize', () => schedule(settleMs))
  // Pages load and dialogs open. A page that never stops changing must not postpone the check.
  new MutationObserver(() => {
    if (!dueAt) schedule(settleMs)
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
  tab.toggleAttribute('data-narrow', slot?.narrow ?? false)
  tab.style.translate = slot ? `${slot.x}px ${slot.y}px` : ''
}

/** Along its edge, or upright in the margin at the right. */
function findSlot(tab: HTMLElement): Slot | undefined {
  // Slots overlap, and finding the elements at a point is slow.
  const blocked = new Map<string, boolean>()
  const isBlocked = (x: number, y: number): boolean => {
    const point = `${x} ${y}`
    const cached = blocked.get(point)
    if (cached !== undefined) return cached
    const result = document.elementsFromPoint(x, y).some((element) => !tab.contains(element) && isObstacle(element))
    blocked.set(point, result)
    return result
  }
  for (const narrow of [false, true]) {
    tab.toggleAttribute('data-narrow', narrow)
    const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = tab
    for (let shift = 0; shift <= maxShiftPx; shift += slotStepPx) {
      const [x, y] = height > width ? [0, -shift] : [-shift, 0]
      if (isFree({ left: left + x, top: top + y, width, height }, isBlocked)) return { x, y, narrow }
    }
  }
}

function isFree({ left, top, width, height }: Box, isBlocked: (x: number, y: number) => boolean): boolean {
  for (let x = 0; ; x = Math.min(x + gridPx, width - 1)) {
    for (let y = 0; ; y = Math.min(y + gridPx, height - 1)) {
      if (isBlocked(left + x, top + y)) return false
      if (y === height - 1) break
    }
    if (x === width - 1) return true
  }
}

/** Bars that stay at the edge while the page scrolls count as a whole, including the gaps between their buttons. */
function isObstacle(element: Element): boolean {
  return (
    element.matches(controls) ||
    (element !== document.body && ['sticky', 'fixed'].includes(getComputedStyle(element).position))
  )
}
