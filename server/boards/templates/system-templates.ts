import type { Selectable } from 'kysely'
import type { BoardConfig } from '#contract/boards/boards.ts'
import { defaultBoardTheme } from '#contract/boards/boards.ts'
import type { ProcessStep } from '#contract/boards/frame-content.ts'
import type { Schema } from '#server/db/schema.ts'
import { toFrame, toFrameRows } from '../frame-rows.ts'
import { createFrame } from '../new-frame.ts'

export type BoardTemplateRow = Pick<
  Selectable<Schema['board_templates']>,
  'id' | 'name' | 'description' | 'config' | 'frames'
>
type FrameOptions = Parameters<typeof createFrame>[2]
type TemplateFrame = [frameType: Parameters<typeof createFrame>[1], options: FrameOptions]

interface SystemTemplate {
  slug: string
  name: string
  description: string
  config: Partial<BoardConfig>
  frames: TemplateFrame[]
}

function createSteps(...titles: string[]): { steps: ProcessStep[] } {
  return { steps: titles.map((title, index) => ({ id: `step-${index + 1}`, title, state: 'todo' })) }
}

function createCover(title: string, caption: string, size = { width: 300, height: 200 }): TemplateFrame {
  return ['media_card', { slug: 'cover', name: 'Cover', x: 40, y: 40, size, content: { title, caption } }]
}

const templateDefinitions: SystemTemplate[] = [
  {
    slug: 'evening-round',
    name: 'Evening routine',
    description:
      'Close the day in four steps: look back, write one moment, talk it over, choose what comes first tomorrow.',
    config: {
      engagementMode: 'wizard',
      theme: { ...defaultBoardTheme, primaryColor: '#1E3A5F', accentColor: '#B45309' },
    },
    frames: [
      createCover('The evening routine', 'Fifteen minutes, every evening.'),
      [
        'process_frame',
        {
          slug: 'round',
          name: 'The routine',
          x: 40,
          y: 260,
          size: { width: 300, height: 260 },
          content: createSteps(
            'Look back: how was today?',
            'Write one moment, however small',
            'Talk over what’s still open',
            'Choose tomorrow’s first thing',
          ),
        },
      ],
      [
        'preview',
        {
          slug: 'keeper',
          name: 'My keeper',
          description: 'Choose the keeper for your days',
          x: 360,
          y: 40,
          size: { width: 320, height: 240 },
          content: { kind: 'entity', entity: 'keeper' },
        },
      ],
      [
        'dialog',
        {
          slug: 'talk',
          name: 'Talk it over',
          description: 'Choose an agent that can read your keeper',
          x: 360,
          y: 300,
          size: { width: 320, height: 320 },
        },
      ],
    ],
  },
  {
    slug: 'family-journey',
    name: 'Family journey',
    description:
      'A journey told together: pictures, the route, the people coming along, and what to do before leaving.',
    config: {
      engagementMode: 'canvas',
      theme: { ...defaultBoardTheme, primaryColor: '#166534', accentColor: '#14532D' },
    },
    frames: [
      createCover('Where we went', 'Put the picture everyone remembers here.', { width: 400, height: 280 }),
      [
        'preview',
        {
          slug: 'journey',
          name: 'The journey',
          description: 'Choose a journey one of you keeps',
          x: 460,
          y: 40,
          size: { width: 400, height: 280 },
          content: { kind: 'entity', entity: 'journey' },
        },
      ],
      [
        'media_card',
        {
          slug: 'picture-one',
          name: 'First picture',
          x: 40,
          y: 340,
          pattern: 'gallery',
          size: { width: 260, height: 200 },
        },
      ],
      [
        'media_card',
        {
          slug: 'picture-two',
          name: 'Second picture',
          x: 320,
          y: 340,
          pattern: 'gallery',
          size: { width: 260, height: 200 },
        },
      ],
      [
        'media_card',
        {
          slug: 'picture-three',
          name: 'Third picture',
          x: 600,
          y: 340,
          pattern: 'gallery',
          size: { width: 260, height: 200 },
        },
      ],
      [
        'process_frame',
        {
          slug: 'before-leaving',
          name: 'Before we leave',
          x: 40,
          y: 560,
          size: { width: 400, height: 240 },
          content: createSteps(
            'Agree on the days',
            'Book the trip there',
            'Everyone packs their own bag',
            'Decide who looks after the house',
          ),
        },
      ],
      [
        'people_overview',
        { slug: 'people', name: 'Who comes along', x: 460, y: 560, size: { width: 400, height: 240 } },
      ],
    ],
  },
  {
    slug: 'agent-workbench',
    name: 'Agent workbench',
    description:
      'Build an agent next to the one it will replace: both run on the same input, with the settings beside them.',
    config: { engagementMode: 'canvas' },
    frames: [
      [
        'agent_preview',
        {
          slug: 'as-it-is',
          name: 'As it is',
          description: 'The current agent',
          x: 40,
          y: 40,
          size: { width: 360, height: 300 },
        },
      ],
      [
        'agent_preview',
        {
          slug: 'as-it-could-be',
          name: 'As it could be',
          description: 'The agent you’re building',
          x: 420,
          y: 40,
          size: { width: 360, height: 300 },
        },
      ],
      [
        'config_panel',
        {
          slug: 'agent-settings',
          name: 'The agent’s settings',
          x: 800,
          y: 40,
          size: { width: 320, height: 300 },
          content: { entity: 'agent' },
        },
      ],
      [
        'code_snippet',
        {
          slug: 'hard-questions',
          name: 'Hard questions',
          description: 'Questions the agent must answer well; try them after every change',
          x: 40,
          y: 360,
          size: { width: 360, height: 260 },
          content: {
            language: 'markdown',
            code: '# Hard questions\n\n1. Something it must know.\n2. Something it must look up.\n3. Something it must refuse.\n',
          },
        },
      ],
      ['dialog', { slug: 'talk', name: 'Talk to it', x: 420, y: 360, size: { width: 360, height: 260 } }],
      [
        'process_frame',
        {
          slug: 'way',
          name: 'From idea to use',
          x: 800,
          y: 360,
          size: { width: 320, height: 260 },
          content: createSteps(
            'Say what it is for',
            'Try the hard questions',
            'Keep one as a golden question',
            'Save, then share it',
          ),
        },
      ],
    ],
  },
  {
    slug: 'project-plan',
    name: 'Project plan',
    description: 'Now, next and later side by side, with your decisions and an agent to think with.',
    config: {
      engagementMode: 'canvas',
      theme: { ...defaultBoardTheme, primaryColor: '#3730A3', accentColor: '#1E1B4B' },
    },
    frames: [
      createCover('What we’re making', 'One sentence: for whom, and why now.', { width: 300, height: 220 }),
      [
        'process_frame',
        {
          slug: 'now',
          name: 'Now',
          x: 360,
          y: 40,
          size: { width: 280, height: 300 },
          content: createSteps('The one thing in progress', 'What blocks it'),
        },
      ],
      [
        'process_frame',
        {
          slug: 'next',
          name: 'Next',
          x: 660,
          y: 40,
          size: { width: 280, height: 300 },
          content: createSteps('The next thing'),
        },
      ],
      [
        'process_frame',
        {
          slug: 'later',
          name: 'Later',
          x: 960,
          y: 40,
          size: { width: 280, height: 300 },
          content: createSteps('Only once the next one is done'),
        },
      ],
      [
        'code_snippet',
        {
          slug: 'decisions',
          name: 'Decisions',
          description: 'What was decided, when, and what it rules out',
          x: 40,
          y: 360,
          size: { width: 600, height: 240 },
          content: {
            language: 'markdown',
            code: '# Decisions\n\n- **Day**: what was decided, and what it rules out.\n',
          },
        },
      ],
      ['dialog', { slug: 'think', name: 'Think out loud', x: 660, y: 360, size: { width: 280, height: 240 } }],
      ['config_panel', { slug: 'settings', name: 'Settings', x: 960, y: 360, size: { width: 280, height: 240 } }],
    ],
  },
  {
    slug: 'code-and-prompts',
    name: 'Code and prompts',
    description: 'Prompts, settings and commands that must stay exactly as written, with an agent to try them on.',
    config: {
      engagementMode: 'focus',
      theme: { ...defaultBoardTheme, primaryColor: '#0F172A', accentColor: '#7C2D12' },
    },
    frames: [
      [
        'code_snippet',
        {
          slug: 'prompt',
          name: 'System prompt',
          x: 40,
          y: 40,
          size: { width: 420, height: 280 },
          content: {
            language: 'markdown',
            code: 'You are …\n\n## What you do\n\n- …\n\n## What you never do\n\n- Invent what you do not know.\n',
          },
        },
      ],
      [
        'code_snippet',
        {
          slug: 'settings',
          name: 'Model settings',
          x: 480,
          y: 40,
          size: { width: 320, height: 280 },
          content: { language: 'json', code: '{\n  "temperature": 0.2,\n  "max_tokens": 1000\n}\n' },
        },
      ],
      [
        'code_snippet',
        {
          slug: 'command',
          name: 'Command',
          x: 40,
          y: 340,
          size: { width: 420, height: 160 },
          content: { language: 'bash', code: 'curl --fail https://example.org/health\n' },
        },
      ],
      ['agent_preview', { slug: 'try', name: 'Try it', x: 480, y: 340, size: { width: 320, height: 280 } }],
      [
        'preview',
        {
          slug: 'page',
          name: 'How it looks',
          description: 'A page in a sandbox, without scripts',
          x: 40,
          y: 520,
          size: { width: 420, height: 240 },
          content: { kind: 'page', html: '<h1>A heading</h1>\n<p>What the page says.</p>\n' },
        },
      ],
    ],
  },
]

export const systemBoardTemplates: readonly BoardTemplateRow[] = templateDefinitions.map(
  ({ slug, name, description, config, frames }) => {
    const id = `board-template-${slug}`
    const plainFrames = frames.map(([frameType, options]) =>
      createFrame({ newId: () => `${id}-${options.slug}` }, frameType, options),
    )
    return {
      id,
      name,
      description,
      config: {
        name,
        description,
        layout: 'canvas',
        engagementMode: 'canvas',
        allowLayoutEditing: true,
        animation: 'none',
        theme: defaultBoardTheme,
        ...config,
      },
      frames: toFrameRows(id, plainFrames, [], 0).map(toFrame),
    }
  },
)
