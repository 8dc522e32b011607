export const themeLibraryRoute = '/studio/themes'

export const getEditThemeRoute = (id: string) => `${themeLibraryRoute}?edit=${encodeURIComponent(id)}`

export const getThemeFromRoute = (idOrSlug: string) => `${themeLibraryRoute}?from=${encodeURIComponent(idOrSlug)}`
