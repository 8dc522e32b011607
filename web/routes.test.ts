import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { appPathSegments } from '#contract/agents/agent-slug.ts'
import { findPageRoute, pageRoutes } from './page/page-routes.ts'
import { navigation } from './shell/navigation.ts'

const table = readFileSync(new URL('./routes.tsx', import.meta.url), 'utf8')
const paths = [...table.matchAll(/path="([^"]+)"/g)].map(([, path]) => path as string)
const redirects = [...table.matchAll(/path="([^"]+)" element={<Navigate/g)].map(([, path]) => path as string)

const specifiedPaths = `
/ /login /register /debug /board-demo /kip /ceox /:agentSlug
/root /root/profile /root/domain /root/api-keys /root/settings/api-keys
/studio /studio/agents /studio/kip/agents /studio/agents/:agentId /studio/agent-board
/studio/domain-board /studio/journey-board /studio/keeper-type-board /studio/people-board
/studio/board-studio /board-studio /studio/memory-patterns /studio/agent-classes
/studio/engagement-templates /studio/themes /studio/kip
/studio/admin/api-keys /studio/kip/api-keys /studio/admin/logs /studio/kip/logs /studio/admin
/admin/domains /admin/roles /admin/users /library
/keeper /keeper/manage /keeper/types /keeper/engagement-templates /keeper/new
/keeper/:id/dashboard /keeper/:id/memory /keeper/:id/journeys /keeper/:id/moments
/keeper/:id/reflection-journal /keeper/:id/memory-cards /keeper/:id/voice-panel /keeper/:id/echo-writer
/keeper/:id/identity-logbook /keeper/:id/topics /keeper/:id/voice /keeper/:id/logbook
/keeper/selected/metadata /keeper/selected/engagement-templates /keeper/selected/memory-tools
`
  .trim()
  .split(/\s+/)

describe('the route table', () => {
  it('has every address of the specification', () => {
    expect(specifiedPaths.filter((path) => !paths.includes(path))).toEqual([])
  })

  it('reserves every first segment against slugs of agents and domains', () => {
    const segments = new Set(paths.map((path) => path.split('/')[1] ?? '').filter((part) => /^[a-z]/.test(part)))
    expect([...segments].filter((segment) => !appPathSegments.has(segment))).toEqual([])
  })

  it('names every signed-in page', () => {
    const nameless = paths.filter(
      (path) => /^\/(root|studio|admin|library|keeper)\b/.test(path) && !redirects.includes(path),
    )
    expect(nameless.filter((path) => !findPageRoute(path))).toEqual([])
  })

  it('has a page for every link and every named place', () => {
    const normalize = (path: string) => path.replace(/:\w+|(?<=^\/keeper\/)1(?=\/)/g, '*')
    const existingPaths = new Set(paths.map(normalize))
    const links = Object.values(navigation).flatMap((sections) =>
      sections.flatMap(({ links }) => links.map(({ to }) => to)),
    )
    const targetPaths = [...links, ...pageRoutes.map(({ path }) => path)]
    expect(targetPaths.filter((path) => !existingPaths.has(normalize(path)))).toEqual([])
  })
})
