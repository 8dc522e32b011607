import type { Agent } from '#contract/agents/agents.ts'
import { versions } from '#contract/agents/versions.ts'
import { call } from '#web/api/api.ts'
import { saveFile } from '#web/files/save-file.ts'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'

export async function exportAgent(agent: Agent): Promise<void> {
  try {
    const file = await call(versions.exportFile, { params: { agentId: agent.id } })
    const text = `${JSON.stringify(file, null, 2)}\n`
    saveFile(new Blob([text], { type: 'application/json' }), `${agent.slug}.agent.json`)
  } catch (reason) {
    showToast(withNames`${agent.name} couldn’t be exported. ${(reason as Error).message}`)
  }
}
