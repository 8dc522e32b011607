export const scrimClasses = 'fixed inset-0 z-50 bg-scrim animate-fade data-[state=closed]:animate-leave'

export const floatingClasses =
  'z-50 overflow-y-auto rounded-[10px] border border-border bg-popover text-ui text-popover-foreground shadow-e3 outline-none animate-scale data-[state=closed]:animate-leave'

/** Radix measures the space between the button and the window's edge. */
export const floatingStyle = { maxHeight: 'var(--radix-popper-available-height)' }

/** Distances from the button and from the window's edges (px). */
export const floatingPosition = { sideOffset: 6, collisionPadding: 8 }
