import { themeKeys } from '#contract/themes/theme-keys.ts'
import { themes } from '#contract/themes/themes.ts'
import type { Line } from './permission-matrix-table.ts'
import { adasCanary, type World } from './permission-matrix-world.ts'

const everybody = { visitor: 200, stranger: 200, owner: 200 }
const signedIn = { visitor: 401, stranger: 200, owner: 200 }
const ownerOnly = { visitor: 401, stranger: 404, owner: 200 }

const grey = Object.fromEntries(themeKeys.map((key) => [key, '#777777'])) as Record<(typeof themeKeys)[number], string>
const body = { name: 'Harbour fog', light: grey, dark: grey }
const theme = async (world: World) => ({
  themeId: (await world.asAda(themes.create, { body: { ...body, name: `Harbour fog ${adasCanary}` } })).id,
})

export const themeLines: Record<string, Line> = {
  'themes.list': { ...everybody, sample: () => ({}) },
  'themes.show': { ...everybody, sample: () => ({ params: { themeId: 'keeper-classic' } }) },
  'themes.create': { ...signedIn, sample: () => ({ body }) },
  'themes.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: await theme(world), body: { note: 'Grey on grey.' } }),
  },
  'themes.remove': { ...ownerOnly, sample: async (world) => ({ params: await theme(world) }) },
  'themes.restore': {
    ...ownerOnly,
    sample: async (world) => {
      const params = await theme(world)
      await world.asAda(themes.remove, { params })
      return { params }
    },
  },
}
