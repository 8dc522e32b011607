import { type Board, type BoardInList, defaultBoardTheme, type Frame } from '../boards/boards.ts'
import { createFrameData, toFrame } from '../boards/frame-content.ts'
import { type BoardEntity, type FrameType, frameTypes } from '../boards/frame-types.ts'
import { demoIds } from './demo-ids.ts'

const sampleTime = '2026-03-02T08:00:00.000Z'

/** `x` and `y` in canvas pixels; `more` overrides the type's defaults. */
type SampleFrame = [
  type: FrameType,
  name: string,
  x: number,
  y: number,
  more?: { size?: { width: number; height: number }; content?: Record<string, unknown> },
]

function createSampleFrame(entity: BoardEntity, [type, name, x, y, overrides]: SampleFrame): Frame {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const frame = {
    id: `sample-${entity}-${slug}`,
    entityType: entity,
    entityId: demoIds[entity],
    data: createFrameData(type, { name, slug, position: { x, y }, ...overrides }),
    FrameConfig: { engagementMode: frameTypes[type].pattern },
  }
  return toFrame(frame, sampleTime)
}

function createSampleBoard(entity: BoardEntity, name: string, description: string, frames: SampleFrame[]): Board {
  return {
    id: getSampleBoardId(entity),
    name,
    type: entity,
    description,
    lastModified: sampleTime,
    frameCount: frames.length,
    engagementMode: 'canvas',
    domainId: null,
    entityType: entity,
    entityId: demoIds[entity],
    createdAt: sampleTime,
    updatedAt: sampleTime,
    rev: 1,
    may: 'view',
    owner: { id: 'sample', name: 'Sample', isMe: false },
    isShared: false,
    config: {
      name,
      description,
      layout: 'canvas',
      engagementMode: 'canvas',
      allowLayoutEditing: false,
      animation: 'fade',
      theme: defaultBoardTheme,
    },
    frames: frames.map((frame) => createSampleFrame(entity, frame)),
  }
}

const getSampleBoardId = (entity: BoardEntity) => `sample-board-${entity}`

const createSampleSteps = (
  name: string,
  x: number,
  y: number,
  ...titles: [title: string, state: 'todo' | 'active' | 'done'][]
): SampleFrame => {
  const steps = titles.map(([title, state], index) => ({ id: `step-${index}`, title, state }))
  return ['process_frame', name, x, y, { content: { steps } }]
}

const samplePrompt = `You know one keeper and nothing else.
Quote what you rely on. Where it says nothing, say so.`

export const sampleBoards: Board[] = [
  createSampleBoard('journey', 'The Harbour Year', 'From spring to first ice, as frames.', [
    ['media_card', 'Cover', 60, 60, { content: { title: 'Spring to first ice' } }],
    ['dialog', 'Ask the harbour', 400, 60],
    createSampleSteps(
      'Evening round',
      60,
      300,
      ['Gather moments', 'done'],
      ['Draft reflection', 'done'],
      ['Wait one day', 'active'],
      ['Suggest promotions', 'todo'],
    ),
    [
      'preview',
      'On this day',
      400,
      360,
      {
        size: { width: 320, height: 160 },
        content: { kind: 'page', html: '<blockquote>“Nothing here asks to be photographed.”</blockquote>' },
      },
    ],
    ['journey_line', 'The way so far', 60, 560],
    ['journey_waypoints', 'What comes next', 760, 60],
    ['journey_moments', 'Lived on the way', 760, 420],
  ]),
  createSampleBoard('agent', 'Agent workspace', 'One agent to run, talk with and set up.', [
    ['agent_preview', 'Try it', 60, 60, { content: { agentId: demoIds.agent } }],
    ['dialog', 'Talk with it', 420, 60, { content: { agentId: demoIds.agent } }],
    ['config_panel', 'Set it up', 60, 360, { content: { entity: 'agent', entityId: demoIds.agent } }],
  ]),
  createSampleBoard('domain', 'Willowbrook setup', 'A domain and the people who look after it.', [
    ['domain_overview', 'Willowbrook', 60, 60],
    ['domain_sharing', 'Shared here', 420, 60],
    ['people_overview', 'Who belongs', 780, 60],
    createSampleSteps(
      'First week',
      60,
      320,
      ['Name the domain', 'done'],
      ['Invite the choir', 'active'],
      ['Share the first journey', 'todo'],
    ),
    ['config_panel', 'Domain settings', 420, 340, { content: { entity: 'domain', entityId: demoIds.domain } }],
  ]),
  createSampleBoard('keeper-type', 'Keeper type: Journal', 'How a journal remembers, and what can be written in it.', [
    ['keeper_type_identity', 'Journal', 60, 60],
    ['keeper_type_templates', 'What can be written', 420, 60],
    ['keeper_type_agents', 'Who knows it', 780, 60],
    createSampleSteps(
      'Before first use',
      60,
      340,
      ['Name it', 'done'],
      ['Choose how it remembers', 'done'],
      ['Link templates', 'active'],
    ),
    ['code_snippet', 'Agent instructions', 420, 360, { content: { code: samplePrompt, language: 'text' } }],
    [
      'config_panel',
      'Type settings',
      780,
      320,
      { content: { entity: 'keeper-type', entityId: demoIds['keeper-type'] } },
    ],
  ]),
  createSampleBoard('people', 'People', 'Who belongs here, and in which roles.', [
    ['people_overview', 'Everyone', 60, 60],
    ['role_manager', 'Roles', 420, 60],
    ['collaboration_network', 'Who works together', 60, 340],
    ['activity_feed', 'What happened', 420, 360],
  ]),
]

export const sampleBoardList: BoardInList[] = sampleBoards.map(
  ({ config: _config, frames: _frames, ...board }) => board,
)

export function findSampleBoard(id: string): Board | undefined {
  return sampleBoards.find((board) => board.id === id)
}

export function getSampleBoard(entity: BoardEntity): Board {
  const board = findSampleBoard(getSampleBoardId(entity))
  if (!board) throw new Error(`There is no sample board of ${entity}.`)
  return board
}
