import type { ErrorEntries } from '../reason.ts'

/** Generated and transcribed texts. */
export const aiErrors = {
  ai_not_configured: {
    reason: 'unavailable',
    message: 'This deployment has no AI model. Ask the operator to configure one.',
    meaning: 'The operator has configured no model that writes texts.',
    fix: 'Ask the operator of the service to set `aiText`.',
  },
  ai_unavailable: {
    reason: 'unavailable',
    message: 'The AI provider does not respond at the moment. Nothing was charged. Retry later.',
    meaning: 'The AI provider is busy, unreachable, or too slow, or its response cannot be used. Nothing was charged.',
    fix: 'Retry after the seconds that `Retry-After` names; for many variants, use POST /api/ai/jobs.',
  },
  ai_content_filtered: {
    reason: 'mismatched',
    message: 'The AI provider filtered this content. Change the text, then retry.',
    meaning: 'The AI provider does not write, rewrite, or transcribe this content. Nothing was charged.',
    fix: 'Change the prompt or the text.',
  },
  ai_budget_exceeded: {
    reason: 'unpaid',
    message:
      'The AI budget of this month does not cover this call: 1998000 of 2000000 micro-USD are used or reserved. It resets on 2026-12-01.',
    meaning: 'The call could cost more than the rest of the monthly AI budget of the workspace.',
    fix: 'Wait for the next month (UTC), or open `billingUrl` for a larger plan.',
  },
  ai_job_not_found: {
    reason: 'missing',
    message: 'This workspace has no AI job aij_01KAJ2K6C8E0G2J4M6P8S0V2X4.',
    meaning: 'You have started no AI job with this id in the workspace, or it ended more than seven days ago.',
    fix: 'Use the `jobId` of a response from the last seven days.',
  },
  speech_not_configured: {
    reason: 'unavailable',
    message: 'This deployment has no speech recognition. Ask the operator to configure it.',
    meaning: 'The operator has configured nothing that transcribes speech.',
    fix: 'Ask the operator of the service to set `aiSpeech`.',
  },
  media_without_speech: {
    reason: 'invalid',
    message: 'The file cannot be transcribed. Use a recording of speech in a common format.',
    meaning: 'The file is an image, or a recording that the speech recognition cannot read.',
    fix: 'Use the id of a video, or send audio as the body.',
  },
  media_too_large: {
    reason: 'too-large',
    message: 'The file has 31457280 bytes. The speech recognition takes at most 25000000.',
    meaning: 'The file is larger than the speech recognition of this deployment accepts.',
    fix: 'Use a smaller file, or only its audio track.',
  },
} as const satisfies ErrorEntries
