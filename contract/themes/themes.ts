import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { cursorQuery, emptyResponse } from '../keepers/keeper-fields.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { normalizeColor } from './normalize-color.ts'
import { shippedThemeSlugs, type ThemeKey, themeKeys } from './theme-keys.ts'

const colors = z.record(z.enum(themeKeys), z.string())
const visibility = z.enum(['private', 'public'])
const basis = z.nullable(z.enum(shippedThemeSlugs))

export const theme = z.object({
  id: z.string(),
  slug: z.string(),
  name: displayLine,
  note: displayLine,
  light: colors,
  dark: colors,
  /** Built-in theme for colors beyond the 19 keys, such as the sidebar; `null`: Keeper Classic, with `primary` and `ring` as pigment and ribbon. */
  basis,
  system: z.boolean(),
  mine: z.boolean(),
  visibility,
  rev: z.number(),
})
export type Theme = z.infer<typeof theme>
export type ThemeVisibility = z.infer<typeof visibility>

export const maxThemes = 100

const name = oneLine({ max: 60, min: 1, message: 'Enter a name.' })
const note = oneLine({ max: 200 })

function createColorSet(mode: 'light' | 'dark') {
  const colorSchema = (key: ThemeKey) => {
    const message = `The ${mode} ${key} isn’t a color. Use a hex color like #2a3d58.`
    const normalize = z.overwrite<string>((text) => normalizeColor(text) ?? text)
    return z.string(message).check(normalize, z.regex(/^#[0-9a-f]{6}$/, message))
  }
  type Shape = Record<ThemeKey, ReturnType<typeof colorSchema>>
  return z.object(Object.fromEntries(themeKeys.map((key) => [key, colorSchema(key)])) as Shape)
}
const light = createColorSet('light')
const dark = createColorSet('dark')

const themeParams = z.object({ themeId: z.string().check(z.maxLength(64)) })
const themeBody = z.object({ name, note, visibility, light, dark, basis })

export const themes = {
  list: defineEndpoint('GET /api/themes', {
    summary: 'List the themes you can choose: built-in ones, yours, then public ones, newest first',
    access: 'public',
    query: z.object(cursorQuery),
    response: z.array(theme),
  }),
  show: defineEndpoint('GET /api/themes/:themeId', {
    summary: 'Get a theme by ID or slug',
    access: 'public',
    params: themeParams,
    response: theme,
  }),
  create: defineEndpoint('POST /api/themes', {
    summary: 'Create a theme',
    access: 'person',
    body: z.partial(themeBody, { note: true, visibility: true, basis: true }),
    response: theme,
    supportsIdempotencyKey: true,
  }),
  update: defineEndpoint('PUT /api/themes/:themeId', {
    summary: 'Update one of your themes',
    access: 'person',
    params: themeParams,
    body: z.partial(themeBody),
    response: theme,
  }),
  remove: defineEndpoint('DELETE /api/themes/:themeId', {
    summary: 'Delete one of your themes; people who use it get Keeper Classic. It can be restored for a day',
    access: 'person',
    params: themeParams,
    response: emptyResponse,
  }),
  restore: defineEndpoint('POST /api/themes/:themeId/restore', {
    summary: 'Restore a theme you deleted within the last day',
    access: 'person',
    params: themeParams,
    response: theme,
  }),
}
