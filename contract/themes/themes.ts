import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { themeKeys } from './theme-keys.ts'

const colors = z.record(z.enum(themeKeys), z.string())

export const theme = z.object({ id: z.string(), slug: z.string(), name: z.string(), light: colors, dark: colors })
export type Theme = z.infer<typeof theme>

export const themes = {
  list: endpoint('GET /api/themes', {
    summary: 'The themes one may choose',
    access: 'public',
    returns: z.array(theme),
  }),
  show: endpoint('GET /api/themes/:themeId', {
    summary: 'A theme by id or slug',
    access: 'public',
    params: z.object({ themeId: z.string().check(z.maxLength(64)) }),
    returns: theme,
  }),
}
