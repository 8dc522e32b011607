import { expect, it } from 'vitest'
import type { Permission } from '#contract/endpoint.ts'
import {
  canDelete,
  canEdit,
  canRun,
  canSetVisibility,
  canShare,
  getAgentRights,
  type VisibleAgent,
} from './agent-access.ts'

const ada = { id: 'ada', permissions: new Set<Permission>() }
const ben = { id: 'ben', permissions: new Set<Permission>() }
const cleo = { id: 'cleo', permissions: new Set<Permission>(['system_configuration']) }

type GrantedRight = 'run' | 'edit' | 'share' | 'delete'
/** Owned by Ada by default, with the given grants. */
const agent = (visibility: string, granted: GrantedRight[] = [], owner_id: string | null = 'ada') =>
  ({
    owner_id,
    visibility,
    ...Object.fromEntries(granted.map((right) => [`may_${right}`, true])),
  }) as VisibleAgent
const everything: GrantedRight[] = ['run', 'edit', 'share', 'delete']

/** Letters per person; `opens` means setting visibility and visitor spending. Cleo has `system_configuration`. */
const table: [string, VisibleAgent, Record<'ada' | 'ben' | 'cleo', string>][] = [
  ['private', agent('private'), { ada: 'run edit open share delete', ben: '', cleo: '' }],
  ['private, granted all', agent('private', everything), { ada: 'run edit open share delete', ben: '', cleo: '' }],
  ['shared, granted nothing', agent('shared'), { ada: 'run edit open share delete', ben: '', cleo: '' }],
  ['shared, granted run', agent('shared', ['run']), { ada: 'run edit open share delete', ben: 'run', cleo: 'run' }],
  ['shared, granted edit', agent('shared', ['edit']), { ada: 'run edit open share delete', ben: 'edit', cleo: 'edit' }],
  [
    'shared, granted share',
    agent('shared', ['share']),
    { ada: 'run edit open share delete', ben: 'share', cleo: 'share' },
  ],
  [
    'shared, granted delete',
    agent('shared', ['delete']),
    { ada: 'run edit open share delete', ben: 'delete', cleo: 'delete' },
  ],
  [
    'shared, granted all',
    agent('shared', everything),
    { ada: 'run edit open share delete', ben: 'run edit share delete', cleo: 'run edit share delete' },
  ],
  ['public', agent('public'), { ada: 'run edit open share delete', ben: 'run', cleo: 'run' }],
  ['public, granted all', agent('public', everything), { ada: 'run edit open share delete', ben: 'run', cleo: 'run' }],
  ['built-in', agent('public', [], null), { ada: 'run', ben: 'run', cleo: 'run edit open' }],
  [
    'built-in, as if granted',
    agent('shared', everything, null),
    { ada: 'run share', ben: 'run share', cleo: 'run edit open share' },
  ],
]

it.each(table)('%s: people have exactly the expected permissions', (_, subject, expected) => {
  const permissionsByPerson = Object.fromEntries(
    [ada, ben, cleo].map((person) => {
      const may = {
        run: canRun(subject, person),
        edit: canEdit(subject, person),
        open: canSetVisibility(subject, person),
        share: canShare(subject, person),
        delete: canDelete(subject, person),
      }
      return [
        person.id,
        Object.entries(may)
          .filter(([, is]) => is)
          .map(([name]) => name)
          .join(' '),
      ]
    }),
  )
  expect(permissionsByPerson).toEqual(expected)
})

it('owners hold every right, others only their effective grants', () => {
  expect(getAgentRights(agent('private'), ada)).toEqual(everything)
  expect(getAgentRights(agent('private', everything), ben)).toEqual([])
  expect(getAgentRights(agent('public', everything), ben)).toEqual([])
  expect(getAgentRights(agent('shared', ['run', 'share']), ben)).toEqual(['run', 'share'])
})
