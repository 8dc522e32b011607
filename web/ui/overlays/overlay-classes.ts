export const scrimClasses = 'fixed inset-0 z-50 bg-scrim animate-fade data-[state=closed]:animate-leave'

/** A top-layer panel still inherits from its button's parents in the tree; reset what it must not inherit. */
export const floatingClasses =
  'fixed inset-auto m-0 overflow-y-auto rounded-[10px] border border-border bg-popover text-start font-sans text-ui font-normal whitespace-normal text-popover-foreground normal-case not-italic shadow-e3 outline-none animate-scale'
