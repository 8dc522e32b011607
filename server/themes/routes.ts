import { themes } from '#contract/themes/themes.ts'
import { createEntryNotFound } from '#server/catalog/catalog.ts'
import { updateEntry } from '#server/catalog/save-entry.ts'
import { Reply, type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { createTheme, findTheme, listThemes, removeTheme, restoreTheme, themeKind } from './theme-catalog.ts'

export function themeRoutes(services: Services): ServedCall[] {
  return serveArea('themes', themes, {
    list: async ({ person, query }) => {
      const { items, next_cursor } = await listThemes(services, person, query)
      return new Reply(items, { extra: { next_cursor } })
    },
    show: async ({ person, params }) => {
      const theme = await findTheme(services, person, params.themeId)
      if (!theme) throw createEntryNotFound(themeKind)
      return theme
    },
    create: ({ person, body }) => createTheme(services, person, body),
    update: ({ person, params, body, ifMatch }) =>
      updateEntry(services, person, themeKind, { id: params.themeId, changes: body, ifMatch }),
    remove: ({ person, params }) => removeTheme(services, person, params.themeId),
    restore: ({ person, params }) => restoreTheme(services, person, params.themeId),
  })
}
