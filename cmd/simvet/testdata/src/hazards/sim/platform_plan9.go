package sim // want "platform: file behind a build constraint"
