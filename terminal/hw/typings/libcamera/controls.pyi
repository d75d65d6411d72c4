# Choices of two controls, as libcamera counts them.
import enum

class AeFlickerModeEnum(enum.IntEnum):
    Off = 0
    Manual = 1
    Auto = 2

class AfModeEnum(enum.IntEnum):
    Manual = 0
    Auto = 1
    Continuous = 2
