export const libraryAddress = '/studio/themes'

/** The editor, on a theme of one’s own. */
export const editThemeAddress = (id: string) => `${libraryAddress}?edit=${encodeURIComponent(id)}`

/** The editor, on a new theme that begins as another one. */
export const themeFromAddress = (idOrSlug: string) => `${libraryAddress}?from=${encodeURIComponent(idOrSlug)}`
