import type { ErrorEntries } from '../reason.ts'

/** Uploads and files. */
export const mediaErrors = {
  media_not_found: {
    reason: 'missing',
    message: 'This workspace has no media med_01KAJ2K6C8E0G2J4M6P8S0V2X4.',
    meaning: 'The workspace has no file with this id, storage key, or URL.',
    fix: 'Use an id from GET /api/media, or upload the file first.',
  },
  media_in_use: {
    reason: 'conflict',
    message: 'Scheduled posts use this file. Cancel or change them first, or delete it with ?force=true.',
    meaning: 'Scheduled posts, which `postIds` lists, use the file.',
    fix: 'Cancel or change the posts first, or send `force=true`.',
  },
  media_deletion_in_progress: {
    reason: 'conflict',
    message: 'An earlier file with this storageKey is being deleted. Complete the upload again in a minute.',
    meaning: 'An earlier file with the same storage key is being deleted.',
    fix: 'Complete the upload again in a minute.',
  },
  file_not_uploaded: {
    reason: 'invalid',
    message: 'No file was uploaded for this storageKey. Upload it to the uploadUrl first.',
    meaning: 'The upload is completed before the file has arrived.',
    fix: 'PUT the file to `uploadUrl` first.',
  },
  upload_changed: {
    reason: 'conflict',
    message: 'The file was replaced or completed during the inspection. Complete the upload again.',
    meaning: 'The file was replaced, or another request completed the upload at the same time.',
    fix: 'Complete the upload again.',
  },
  media_empty: {
    reason: 'invalid',
    message: 'The uploaded file is empty. Upload the file itself.',
    meaning: 'The uploaded file has no bytes.',
    fix: 'Upload the file itself.',
  },
  media_truncated: {
    reason: 'invalid',
    message: 'The uploaded file is cut off: a JPEG that does not reach its end. Upload the whole file again.',
    meaning: 'The end of the uploaded file is missing.',
    fix: 'Upload the whole file again.',
  },
  media_damaged: {
    reason: 'invalid',
    message:
      'The uploaded file is a PNG with a damaged header. Save it again with another program, then upload that file.',
    meaning: 'The uploaded file does not follow its format.',
    fix: 'Save the file again with another program, then upload that file.',
  },
  media_polyglot: {
    reason: 'invalid',
    message:
      'The uploaded file is a ZIP archive as well. Save the image, video, or document alone, without what was added to it, then upload that file.',
    meaning: 'The uploaded file is also a document or an archive of another format.',
    fix: 'Save the image, video, or document alone, then upload that file.',
  },
  media_complex: {
    reason: 'invalid',
    message:
      'The uploaded file is a GIF of more than 10000 frames. Save it again with another program, then upload that file.',
    meaning: 'The uploaded file has more parts than the service decodes.',
    fix: 'Save the file again with another program, then upload that file.',
  },
  media_pixels: {
    reason: 'invalid',
    message: 'The uploaded file is an image of 20000 × 20000 pixels. Make it smaller, then upload that file.',
    meaning: 'The uploaded file has more pixels than the service decodes.',
    fix: 'Make the image smaller, then upload that file.',
  },
  media_no_video: {
    reason: 'invalid',
    message: 'The uploaded file has no video track. Upload a file with a video track.',
    meaning: 'The uploaded file has sound but no video track.',
    fix: 'Upload a file with a video track.',
  },
  media_fragmented: {
    reason: 'invalid',
    message:
      'The uploaded file is a fragmented video. Save it as an ordinary MP4 or MOV, not in fragments for streaming, then upload that file.',
    meaning: 'The uploaded video is cut into fragments for streaming.',
    fix: 'Save it as an ordinary MP4 or MOV, then upload that file.',
  },
} as const satisfies ErrorEntries
