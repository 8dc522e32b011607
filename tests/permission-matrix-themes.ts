import { themeKeys } from '#contract/themes/theme-keys.ts'
import { themes } from '#contract/themes/themes.ts'
import { anyone, ownerOnly, signedIn } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import { adaCanary, type PermissionWorld } from './permission-matrix-world.ts'

const greyColors = Object.fromEntries(themeKeys.map((key) => [key, '#777777'])) as Record<
  (typeof themeKeys)[number],
  string
>
const themeInput = { name: 'Harbour fog', light: greyColors, dark: greyColors }
const createTheme = async (world: PermissionWorld) => ({
  themeId: (await world.asAda(themes.create, { body: { ...themeInput, name: `Harbour fog ${adaCanary}` } })).id,
})

export const themeLines: Record<string, PermissionLine> = {
  'themes.list': { ...anyone, sample: () => ({}) },
  'themes.show': { ...anyone, sample: () => ({ params: { themeId: 'keeper-classic' } }) },
  'themes.create': { ...signedIn, sample: () => ({ body: themeInput }) },
  'themes.update': {
    ...ownerOnly,
    sample: async (world) => ({ params: await createTheme(world), body: { note: 'Grey on grey.' } }),
  },
  'themes.remove': { ...ownerOnly, sample: async (world) => ({ params: await createTheme(world) }) },
  'themes.restore': {
    ...ownerOnly,
    sample: async (world) => {
      const params = await createTheme(world)
      await world.asAda(themes.remove, { params })
      return { params }
    },
  },
}
