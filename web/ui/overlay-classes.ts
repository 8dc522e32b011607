export const scrimClasses = 'fixed inset-0 z-50 bg-scrim animate-fade data-[state=closed]:animate-leave'

export const floatingClasses =
  'z-50 rounded-[10px] border border-border bg-popover text-popover-foreground shadow-e3 outline-none animate-scale data-[state=closed]:animate-leave'
