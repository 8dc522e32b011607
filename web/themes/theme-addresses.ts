export const libraryAddress = '/studio/themes'

export const editThemeAddress = (id: string) => `${libraryAddress}?edit=${encodeURIComponent(id)}`

export const themeFromAddress = (idOrSlug: string) => `${libraryAddress}?from=${encodeURIComponent(idOrSlug)}`
