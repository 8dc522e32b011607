import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AgentSeal } from './agent-seal.tsx'

test('a Lead agent of unknown appearance has its initial, not the default avatar', () => {
  expect(renderToStaticMarkup(<AgentSeal agent={{ name: 'Kip', agent_class: 'Lead' }} />)).toContain('>K<')
  expect(renderToStaticMarkup(<AgentSeal agent={{ name: 'Kip', agent_class: 'Lead', config: {} }} />)).not.toContain(
    '<text',
  )
})
