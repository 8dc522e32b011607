/** The 19 colours of a theme (seed 002 §3). Apart from the schemas, because the page that paints them needs no schemas. */
export const themeKeys = [
  'background',
  'foreground',
  'card',
  'cardForeground',
  'popover',
  'popoverForeground',
  'primary',
  'primaryForeground',
  'secondary',
  'secondaryForeground',
  'muted',
  'mutedForeground',
  'accent',
  'accentForeground',
  'destructive',
  'destructiveForeground',
  'border',
  'input',
  'ring',
] as const
export type ThemeKey = (typeof themeKeys)[number]

/** The themes that Keeper comes with, whose stylesheet has every colour and not the 19 only. */
export const shippedSlugs = ['keeper-classic', 'forest-deep', 'ocean-calm', 'sunset-warm', 'midnight-elegant'] as const
export type ShippedSlug = (typeof shippedSlugs)[number]
