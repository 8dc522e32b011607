import { describe, expect, it } from 'vitest'
import { checkBaseUrl } from './check-base-url.ts'

const check = (text: string) => checkBaseUrl('/v1', text)

describe('base addresses', () => {
  it.each([
    'https://api.openai.com/v1',
    'http://127.0.0.1:11434/v1',
    'https://res.openai.azure.com/openai/v1',
    'https://res.openai.azure.com/openai/deployments/gpt-4o',
    'https://generativelanguage.googleapis.com/v1beta/openai',
    'https://models.github.ai/inference',
    'https://api.groq.com/openai/v1',
    'https://openrouter.ai/api/v1',
    'https://open.bigmodel.cn/api/paas/v4',
    'https://ark.cn-beijing.volces.com/api/v3',
    'https://dashscope.aliyuncs.com/compatible-mode/v1',
    'https://res.services.ai.azure.com/models',
    'http://[::1]:8080/v1',
  ])('%s stays unchanged', (address) => {
    expect(check(address)).toEqual({ baseUrl: address, query: '', note: null })
    expect(check(`  ${address}// \n`), 'blanks and slashes').toEqual({ baseUrl: address, query: '', note: null })
    expect(check(`"${address}"`), 'quotes of an env file').toEqual({ baseUrl: address, query: '', note: null })
  })

  it.each([
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1', '/v1 was added'],
    ['https://api.anthropic.com/', 'https://api.anthropic.com/v1', '/v1 was added'],
    ['https://api.deepseek.com', 'https://api.deepseek.com/v1', '/v1 was added'],
    ['https://api.deepseek.com/anthropic', 'https://api.deepseek.com/anthropic/v1', '/v1 was added'],
    ['https://a.example/v1/chat/completions', 'https://a.example/v1', '/chat/completions at the end was removed'],
    ['https://a.example/v1/completions', 'https://a.example/v1', '/completions at the end was removed'],
    ['https://a.example/v1/messages/', 'https://a.example/v1', '/messages at the end was removed'],
    ['https://a.example/v1/responses', 'https://a.example/v1', '/responses at the end was removed'],
    ['https://a.example/v1/embeddings', 'https://a.example/v1', '/embeddings at the end was removed'],
    ['https://a.example/v1/models', 'https://a.example/v1', '/models at the end was removed'],
    ['https://a.example/v1/models/gpt-4o', 'https://a.example/v1', '/models/gpt-4o at the end was removed'],
    ['https://a.example/v1/audio/transcriptions', 'https://a.example/v1', 'was removed'],
    ['https://a.example/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM', 'https://a.example/v1', 'was removed'],
    ['https://a.example/v1/text-to-speech/21m00Tcm/stream', 'https://a.example/v1', 'was removed'],
    ['https://a.example/v1/v1', 'https://a.example/v1', 'repeated version path was removed'],
    ['https://a.example/v1/v1/chat/completions', 'https://a.example/v1', 'repeated version path was removed'],
    ['https://a.example//v1', 'https://a.example/v1', 'extra slashes were removed'],
    [
      'http://127.0.0.1:11434/api/chat',
      'http://127.0.0.1:11434/v1',
      '/api/chat at the end was removed and /v1 was added',
    ],
    ['https://a.example/chat/completions', 'https://a.example/v1', '/v1 was added'],
    ['https://chat.example/api/chat/completions', 'https://chat.example/api', 'was removed'],
    ['https://res.openai.azure.com', 'https://res.openai.azure.com/openai/v1', 'serves its API under /openai/v1'],
    ['https://res.openai.azure.com/openai/', 'https://res.openai.azure.com/openai/v1', 'serves its API under'],
    ['https://res.services.ai.azure.com/v1', 'https://res.services.ai.azure.com/openai/v1', 'serves its API under'],
    ['https://openrouter.ai', 'https://openrouter.ai/api/v1', 'serves its API under /api/v1'],
    ['https://openrouter.ai/api', 'https://openrouter.ai/api/v1', 'serves its API under'],
    ['https://openrouter.ai/v1/chat/completions', 'https://openrouter.ai/api/v1', 'serves its API under'],
    ['https://api.groq.com/v1', 'https://api.groq.com/openai/v1', 'serves its API under'],
    ['https://models.github.ai', 'https://models.github.ai/inference', 'serves its API under'],
    ['HTTPS://A.Example/v1/models', 'https://a.example/v1', 'was removed'],
  ])('%s becomes %s', (text, baseUrl, note) => {
    expect(check(text)).toEqual({ baseUrl, query: '', note: expect.stringContaining(note) })
    expect(check(text)).toMatchObject({ note: expect.stringMatching(new RegExp(`, so Keeper calls ${baseUrl}$`)) })
    expect(check(baseUrl), 'and stays so').toEqual({ baseUrl, query: '', note: null })
  })

  it('a query is appended to the call path and appears in no note', () => {
    const azure = 'https://res.openai.azure.com/openai/deployments/d'
    expect(check(`${azure}/chat/completions?api-version=2024-10-21`)).toEqual({
      baseUrl: azure,
      query: '?api-version=2024-10-21',
      note: `/chat/completions at the end was removed, so Keeper calls ${azure}`,
    })
    expect(check('https://a.example?code=hidden')).toMatchObject({
      baseUrl: 'https://a.example/v1',
      query: '?code=hidden',
      note: expect.not.stringContaining('hidden'),
    })
  })

  it('an address ending in # is not corrected', () => {
    const noQuery = { query: '', note: null }
    expect(check('https://api.perplexity.ai#')).toEqual({ baseUrl: 'https://api.perplexity.ai', ...noQuery })
    expect(check('https://a.example/models/#')).toEqual({ baseUrl: 'https://a.example/models', ...noQuery })
  })

  it.each([
    ['localhost:11434', 'starting with http:// or https://'],
    ['127.0.0.1:11434/v1', 'starting with http:// or https://'],
    ['ftp://a.example/v1', 'starting with http:// or https://'],
    ['https:a.example', 'starting with http:// or https://'],
    ['sk-0123456789abcdefghij', 'starting with http:// or https://'],
    ['https://', 'starting with http:// or https://'],
    ['https://ada:harbour-lamp-41@a.example/v1', 'without a username and password'],
    ['https://sk-0123456789@a.example/v1', 'without a username and password'],
  ])('%s is refused without being quoted', (text, reason) => {
    const checked = check(text)
    expect(checked).toEqual({ refusal: expect.stringContaining(reason) })
    expect(JSON.stringify(checked)).not.toMatch(/harbour|sk-0123/)
  })
})
