import { boards } from '#contract/boards/boards.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { agentWorkspace } from './agent-workspace.ts'
import { listBin, removeBoard, restoreBoard } from './bin.ts'
import { requireBoardTo } from './board-access.ts'
import { boardOfEntity } from './board-of-entity.ts'
import { boardView } from './board-view.ts'
import { createBoard } from './create-board.ts'
import { listBoards } from './list-boards.ts'
import { saveBoard } from './save-board.ts'
import { listTemplates } from './templates/list-templates.ts'
import { removeTemplate } from './templates/remove-template.ts'
import { saveTemplate } from './templates/save-template.ts'
import { listVersions, restoreVersion, showVersion } from './versions.ts'

export function boardRoutes(services: Services): ServedCall[] {
  return serveArea('boards', boards, {
    list: ({ person, query }) => listBoards(services, person, query),
    show: async ({ person, params }) =>
      boardView(services, person, await requireBoardTo(services, person, params.id, 'view')),
    create: ({ person, body }) => createBoard(services, person, body),
    save: ({ person, params, body, ifMatch }) => saveBoard(services, person, params.id, body, ifMatch),
    remove: ({ person, params }) => removeBoard(services, person, params.id),
    bin: ({ person, query }) => listBin(services, person, query.cursor),
    restore: ({ person, params }) => restoreBoard(services, person, params.id),
    ofEntity: ({ person, body }) => boardOfEntity(services, person, body),
    versions: ({ person, params, query }) => listVersions(services, person, params.id, query),
    version: ({ person, params }) => showVersion(services, person, params),
    restoreVersion: ({ person, params, ifMatch }) => restoreVersion(services, person, params, ifMatch),
    templates: ({ person, query }) => listTemplates(services, person, query.cursor),
    saveTemplate: ({ person, body }) => saveTemplate(services, person, body),
    removeTemplate: ({ person, params }) => removeTemplate(services, person, params.id),
    agentWorkspace: ({ person, params }) => agentWorkspace(services, person, params.agentId),
  })
}
