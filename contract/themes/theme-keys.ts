/** The 19 theme colors, in a file without schemas, so that pages don't load zod for them. */
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

export const shippedThemeSlugs = [
  'keeper-classic',
  'forest-deep',
  'ocean-calm',
  'sunset-warm',
  'midnight-elegant',
] as const
export type ShippedThemeSlug = (typeof shippedThemeSlugs)[number]
