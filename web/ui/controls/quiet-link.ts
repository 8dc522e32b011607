export const quietLinkClasses =
  'tap-area rounded-xs text-small font-label underline decoration-border decoration-[1.5px] underline-offset-[3px] hover:decoration-foreground'
