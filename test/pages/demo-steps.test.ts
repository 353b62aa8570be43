// run: takes 32 s
// Suites of one file share a browser and an app, so that each picture and clip is drawn once.
import './demo/pets.js'
import './demo/photo.js'
import './demo/key.js'
import './demo/day.js'
import './demo/requests.js'
