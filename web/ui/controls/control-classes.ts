/** 16 px on phones: below that, iOS zooms the page on focus. */
export const controlClasses =
  'w-full rounded-md border border-input bg-card px-[11px] text-body text-foreground transition-[border-color,box-shadow] duration-120 phone:text-lead ' +
  'focus-visible:outline-hidden focus-visible:border-ring focus-visible:shadow-halo ' +
  'aria-invalid:border-destructive aria-invalid:not-focus-visible:inset-ring aria-invalid:inset-ring-destructive ' +
  'disabled:cursor-not-allowed disabled:border-dashed disabled:border-border disabled:bg-muted disabled:text-muted-foreground read-only:not-[select]:bg-muted'

export const controlHeight = 'h-9 phone:h-[2.625rem]'
