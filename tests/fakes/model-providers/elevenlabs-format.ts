import type { ErrorCause, FakeAnswer, FakeError, ProviderFormat } from './provider-format.ts'

/** One silent MPEG-1 layer III frame (128 kbit/s, 44.1 kHz); players accept a sequence of them. */
const silentFrame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)])
const framesPerWord = 12

const refuseToStream = (): never => {
  throw new Error('ElevenLabs does not stream text.')
}

export const elevenlabsFormat: ProviderFormat = {
  contentType: 'audio/mpeg',
  formatBody: ({ tokens }: FakeAnswer) =>
    Buffer.concat(Array.from({ length: Math.max(1, tokens.length) * framesPerWord }, () => silentFrame)),
  formatOpening: refuseToStream,
  formatToken: refuseToStream,
  formatClosing: refuseToStream,
  endMark: '',
  ping: '',
  formatErrorEvent: refuseToStream,
  unknownEvent: '',
  emptyEvents: [],
  createError: createElevenlabsError,
  listModels: () => [
    { model_id: 'eleven_multilingual_v2', name: 'Eleven Multilingual v2', can_do_text_to_speech: true },
    { model_id: 'eleven_turbo_v2_5', name: 'Eleven Turbo v2.5', can_do_text_to_speech: true },
    { model_id: 'eleven_english_sts_v2', name: 'Eleven English v2', can_do_text_to_speech: false },
  ],
  createHeaders: () => ({ 'request-id': 'FaKeReQuEsT0123456789', 'character-cost': '24' }),
}

export const elevenlabsVoices = {
  voices: [
    { voice_id: '21m00Tcm4TlvDq8ikWAM', name: 'Rachel', category: 'premade', labels: { accent: 'american' } },
    { voice_id: 'pNInz6obpgDQGcFmaJgB', name: 'Adam', category: 'premade', labels: { accent: 'american' } },
  ],
}

function createElevenlabsError({ name, key }: ErrorCause): FakeError {
  const status = Number(name.slice(0, 3))
  const createError = (type: string, code: string, message: string): FakeError => ({
    status,
    body: { detail: { type, code, message, status: code, request_id: 'FaKeReQuEsT0123456789', param: null } },
  })
  const createLegacyError = (code: string, message: string, errorStatus = status): FakeError => ({
    status: errorStatus,
    body: { detail: { status: code, message } },
  })
  switch (name) {
    case '401':
      return createLegacyError('invalid_api_key', `Invalid API key ${key}`)
    case '401-permission':
      return createLegacyError(
        'missing_permissions',
        'The API key you used is missing the permission text_to_speech to execute this operation.',
        401,
      )
    case '400-credit':
      // Same status as a bad key; only the code differs.
      return createLegacyError('quota_exceeded', 'This request exceeds your quota. You have 4 credits remaining.', 401)
    case '400-context':
      return createLegacyError(
        'max_character_limit_exceeded',
        'A maximum of 10000 characters is allowed for the given model and your subscription.',
        400,
      )
    case '422':
      return {
        status: 422,
        body: { detail: [{ loc: ['body', 'text'], msg: 'field required', type: 'value_error.missing' }] },
      }
    case '429':
      return createError('rate_limit_error', 'concurrent_limit_exceeded', 'Too many concurrent requests.')
    case '429-quota':
    case '429-spend-limit':
      return createError('rate_limit_error', 'quota_exceeded', 'Quota exceeded.')
    case '404':
      return createError('not_found', 'voice_not_found', 'A voice with this id was not found.')
    case '500':
      return { status: 500, body: { detail: 'Internal Server Error' } }
    default:
      return createError('validation_error', 'invalid_parameters', 'The request could not be followed.')
  }
}
