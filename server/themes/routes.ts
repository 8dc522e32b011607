import { themes } from '#contract/themes/themes.ts'
import { Problem } from '#server/http/problem.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { findTheme, shippedThemes } from './themes.ts'

export function themeRoutes(): ServedCall[] {
  return serveArea('themes', themes, {
    list: () => shippedThemes,
    show: ({ params }) => {
      const theme = findTheme(params.themeId)
      if (!theme) throw new Problem('not-found', { message: 'There is no such theme.' })
      return theme
    },
  })
}
