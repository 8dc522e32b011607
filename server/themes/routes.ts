import { themes } from '#contract/themes/themes.ts'
import { Reply, type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { createTheme, updateTheme } from './save-theme.ts'
import { removeTheme, restoreTheme } from './theme-trash.ts'
import { findTheme, listThemes, themeNotFound } from './visible-themes.ts'

export function themeRoutes(services: Services): ServedCall[] {
  return serveArea('themes', themes, {
    list: async ({ person, query }) => {
      const { items, next_cursor } = await listThemes(services, person, query)
      return new Reply(items, { extra: { next_cursor } })
    },
    show: async ({ person, params }) => {
      const theme = await findTheme(services, person, params.themeId)
      if (!theme) throw themeNotFound()
      return theme
    },
    create: ({ person, body }) => createTheme(services, person, body),
    update: ({ person, params, body, ifMatch }) => updateTheme(services, person, params.themeId, body, ifMatch),
    remove: async ({ person, params }) => {
      await removeTheme(services, person, params.themeId)
      return {}
    },
    restore: ({ person, params }) => restoreTheme(services, person, params.themeId),
  })
}
